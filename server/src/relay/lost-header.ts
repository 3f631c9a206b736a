import { headerList } from '../lib/header-value.ts'

/** Tells a client which of its fields the upstream's language could not say; names and values in turn. */
export const lostHeader = (told: { readonly lost: readonly string[] } | undefined): readonly string[] =>
  told === undefined || told.lost.length === 0 ? [] : ['X-Tollgate-Lost-Fields', headerList(told.lost)]
