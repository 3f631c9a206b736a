import type { RelayCall } from '../call.ts'

/** How signatures of other makers look in a body: with our mark in front, or with that in base64 (dialects/signatures.ts). */
const marks = ['"tollgate:', '"dG9sbGdhdGU']
const markBytes = marks.map((mark) => Buffer.from(mark))

/**
 * Whether a call gives back thoughts of another maker than the one it goes to, as it happens when a conversation has changed
 * its model or its channel. They are no use to anybody else, who would refuse them.
 */
export const bringsForeignThoughts = ({ raw, text }: Pick<RelayCall, 'raw' | 'text'>): boolean =>
  text === undefined ? markBytes.some((mark) => raw.includes(mark)) : marks.some((mark) => text.includes(mark))
