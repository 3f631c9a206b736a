import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Width by height of `1024x1792`, `9:16` or `928*1664`; undefined for anything else. */
const shapeOf = (text: string): number | undefined => {
  const [, width, height] = /^(\d+(?:\.\d+)?)[x:*](\d+(?:\.\d+)?)$/i.exec(text.trim()) ?? []
  const shape = Number(width) / Number(height)
  return Number.isFinite(shape) && shape > 0 ? shape : undefined
}

const distance = (one: number, other: number): number => Math.abs(Math.log(one / other))

/** As far apart as 1792x1024 and 16:9 are, and a little more: nobody sees the difference. */
const unseen = 0.03

/**
 * The one of a model's shapes that is nearest to the size that a client wants. The size is lost where the shape differs
 * so much that the picture will look different. undefined when the client wants none, or none that can be read.
 */
export const nearestShape = (
  size: string | undefined,
  shapes: readonly string[],
  unsupported: UnsupportedFields,
): string | undefined => {
  if (size === undefined) return undefined
  const wanted = shapeOf(size)
  if (wanted === undefined) {
    unsupported.add('size')
    return undefined
  }
  const far = (shape: string): number => distance(shapeOf(shape) ?? 1, wanted)
  const [nearest] = [...shapes].sort((one, other) => far(one) - far(other))
  if (nearest === undefined || far(nearest) > unseen) unsupported.add('size')
  return nearest
}

/** `1024x768` in pixels; undefined for anything else. */
export const pixelsOf = (size: string | undefined): { readonly width: number; readonly height: number } | undefined => {
  const [, width, height] = /^(\d{2,5})[x*](\d{2,5})$/i.exec(size?.trim() ?? '') ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}
