import type { Conversion } from './conversion.ts'

/** Tells a client which of its fields the upstream's language could not say; names and values in turn. */
export const lostHeader = (conversion: Conversion | undefined): readonly string[] =>
  conversion === undefined || conversion.lost.length === 0 ? [] : ['X-Tollgate-Lost-Fields', conversion.lost.join(', ')]
