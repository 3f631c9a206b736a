import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Aspect ratio (width / height) of `1024x1792`, `9:16` or `928*1664`; undefined for anything else. */
const shapeOf = (text: string): number | undefined => {
  const [, width, height] = /^(\d+(?:\.\d+)?)[x:*](\d+(?:\.\d+)?)$/i.exec(text.trim()) ?? []
  const shape = Number(width) / Number(height)
  return Number.isFinite(shape) && shape > 0 ? shape : undefined
}

const distance = (one: number, other: number): number => Math.abs(Math.log(one / other))

/** Log distance of two ratios that look the same; a little more than between 1792x1024 and 16:9. */
const maxInvisible = 0.03

/**
 * The model's shape nearest to the requested size. Adds `size` to `unsupported` if the ratios differ visibly. undefined if the
 * client requests no size or an unreadable one.
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
  if (nearest === undefined || far(nearest) > maxInvisible) unsupported.add('size')
  return nearest
}

/** Reads a size such as `1024x768`, in pixels; undefined for anything else. */
export const pixelsOf = (size: string | undefined): { readonly width: number; readonly height: number } | undefined => {
  const [, width, height] = /^(\d{2,5})[x*](\d{2,5})$/i.exec(size?.trim() ?? '') ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}
