// Dragging a body while the run is paused.
import { type Camera, Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Stage } from "./stage.ts";
import type { World } from "./world.ts";

const GRIP = 9; // px around the centre of a small body

export interface Dragging {
  world(): World | null;
  allowed(): boolean;
  /** While it is moved, and where it was let go. */
  moved(): void;
  dropped(body: string, position: Vector3): void;
}

export function dragBodies(stage: Stage, doing: Dragging): void {
  const { canvas, eye } = stage;
  const ray = new Raycaster();
  let held: { name: string; plane: Plane; offset: Vector3; place: Vector3 } | null = null;
  const place = new Vector2();
  const reach = new Vector2();
  const aim = (event: PointerEvent) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    place.set(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    reach.set((2 * GRIP) / width, (2 * GRIP) / height);
    ray.setFromCamera(place, eye.camera);
  };
  const under = (event: PointerEvent) => {
    aim(event);
    const bodies = doing.allowed() ? doing.world()?.bodies : null;
    return bodies?.hit(ray) ?? bodies?.near(place, eye.camera, reach) ?? null;
  };
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      const body = event.button === 0 ? under(event) : null;
      const at = body && doing.world()?.bodies.where(body.name, new Vector3());
      if (!body || !at) return;
      const plane = facing(eye.camera, at);
      const grip = ray.ray.intersectPlane(plane, new Vector3()) ?? at.clone();
      held = { name: body.name, plane, offset: at.clone().sub(grip), place: at };
      eye.held = true;
      canvas.setPointerCapture(event.pointerId);
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  canvas.addEventListener("pointermove", (event) => {
    if (!held) {
      canvas.classList.toggle("grabbable", event.buttons === 0 && under(event) !== null);
      return;
    }
    aim(event);
    const at = ray.ray.intersectPlane(held.plane, new Vector3());
    if (!at) return;
    held.place.copy(at).add(held.offset);
    doing.world()?.bodies.move(held.name, held.place);
    doing.moved();
  });
  canvas.addEventListener("pointerup", () => {
    if (!held) return;
    doing.dropped(held.name, held.place);
    held = null;
    eye.held = false;
  });
}

/** The plane through `point` that faces the camera. */
function facing(camera: Camera, point: Vector3): Plane {
  const normal = camera.getWorldDirection(new Vector3());
  return new Plane().setFromNormalAndCoplanarPoint(normal, point);
}
