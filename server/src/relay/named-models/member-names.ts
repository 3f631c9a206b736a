/**
 * A name as servers compare it that do not regard case (Go's encoding/json folds like this, also U+017F and U+212A), without
 * underscores and hyphens, so that both ways of writing a name are one.
 */
export const foldedName = (name: string): string => lowered(name).replace(/[_-]/g, '')

/** A name without regard to its case. */
export const lowered = (name: string): string => name.toUpperCase().toLowerCase()
