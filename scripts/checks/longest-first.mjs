import { BaseSequencer } from "vitest/node";

/** What takes long though it is short to read: without a memory of earlier runs the largest files would begin. */
const LONG =
  /\.long\.test\.ts$|\/(service\/(model\/model|demo\/tick)|scripts\/keys|lib\/(embedded|bank\/budget-window|privacy\/rotation))\.test\.ts$/;

const isLong = ({ moduleId }) => LONG.test(moduleId);
const isIsolated = ({ project }) => project.config.isolate;

/** A long file that begins last is waited for alone: it begins first, after those that have a worker to themselves. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which is no array's
    const sorted = await super.sort(files);
    const shared = sorted.filter((file) => !isIsolated(file));
    return [...sorted.filter(isIsolated), ...shared.filter(isLong), ...shared.filter((file) => !isLong(file))];
  }
}
