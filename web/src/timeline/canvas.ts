// A canvas as sharp as the screen.

export interface Sheet {
  canvas: HTMLCanvasElement;
  pen: CanvasRenderingContext2D;
}

export function sheet(className: string): Sheet {
  const canvas = document.createElement("canvas");
  canvas.className = className;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser has no 2-D canvas");
  return { canvas, pen };
}

/** Give it a size in CSS pixels, wipe it, and measure in these pixels from now on. */
export function clear({ canvas, pen }: Sheet, width: number, height: number): void {
  const ratio = devicePixelRatio || 1;
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
}
