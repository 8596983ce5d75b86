import type { PDFPageProxy } from "pdfjs-dist";
import type { CaseFile, FileType } from "@/lib/notes/view";

export type OpenedFile = Pick<CaseFile, "id" | "name" | "mediaType"> & { href: string };

/** `picture`: a PNG as data URL. `isWhole`: false when a picture on the page could not be decoded. */
export type DrawnPage = { picture: string; text: string; isWhole: boolean };

export type Drawing = { pages: number; draw: (page: number) => Promise<DrawnPage>; close: () => void };

const WIDTH_PX = 1_600;
const HEIGHT_MAX_PX = 6_000;

const scaleOf = ({ width, height }: { width: number; height: number }) =>
  Math.min(WIDTH_PX / width, HEIGHT_MAX_PX / height);

function canvasOf(size: { width: number; height: number }, scale: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(size.width * scale));
  canvas.height = Math.max(1, Math.round(size.height * scale));
  return canvas;
}

async function openPicture(bytes: Uint8Array<ArrayBuffer>, type: FileType): Promise<Drawing> {
  const picture = await createImageBitmap(new Blob([bytes], { type }));
  return {
    pages: 1,
    draw: async () => {
      const canvas = canvasOf(picture, Math.min(1, scaleOf(picture)));
      canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
      return { picture: canvas.toDataURL(), text: "", isWhole: true };
    },
    close: () => picture.close(),
  };
}

/** The library draws a page without the pictures that it cannot decode, and says nothing. */
async function showsAllPictures(page: PDFPageProxy, paintsPicture: number): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.every((operation, at) => {
    if (operation !== paintsPicture) return true;
    const [name]: unknown[] = argsArray[at];
    if (typeof name !== "string") return true;
    const kept = name.startsWith("g_") ? page.commonObjs : page.objs;
    return kept.has(name) && kept.get(name) !== null;
  });
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str : "")).join(" ");
}

/** Neither scripts nor links of the file are part of what is drawn. */
async function openPdf(data: Uint8Array<ArrayBuffer>): Promise<Drawing> {
  const { getDocument, GlobalWorkerOptions, OPS } = await import("pdfjs-dist");
  GlobalWorkerOptions.workerSrc = new URL("pdfjs-dist/build/pdf.worker.min.mjs", import.meta.url).href;
  // The pages' policy lets no WebAssembly run: decoders are the library's own in plain script.
  const opened = await getDocument({ data, useWasm: false, enableXfa: false }).promise;
  return {
    pages: opened.numPages,
    draw: async (number) => {
      const page = await opened.getPage(number);
      const scale = scaleOf(page.getViewport({ scale: 1 }));
      const viewport = page.getViewport({ scale });
      const canvas = canvasOf(viewport, 1);
      await page.render({ canvas, viewport }).promise;
      const isWhole = await showsAllPictures(page, OPS.paintImageXObject);
      return { picture: canvas.toDataURL(), text: await textOf(page), isWhole };
    },
    close: () => void opened.loadingTask.destroy(),
  };
}

/** Rejects when the bytes are not what the type says, and for a locked PDF with the name `PasswordException`. */
export const openDrawing = (bytes: Uint8Array<ArrayBuffer>, type: FileType): Promise<Drawing> =>
  type === "application/pdf" ? openPdf(bytes) : openPicture(bytes, type);
