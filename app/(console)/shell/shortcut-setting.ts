import { createContext, use } from "react";

export const Shortcuts = createContext<{ isOn: boolean; show: () => void; choose: (isOn: boolean) => void }>({
  isOn: true,
  show: () => undefined,
  choose: () => undefined,
});

export const useShortcutSetting = () => use(Shortcuts);
