// Textures that are painted, not loaded.
import { CanvasTexture } from "three";

export function painted(
  width: number,
  height: number,
  paint: (pen: CanvasRenderingContext2D) => void,
): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (pen) paint(pen);
  return new CanvasTexture(canvas);
}
