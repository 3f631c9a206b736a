import { readText, writeText } from '../../lib/preferences/storage.ts'

/** 1 January in the person's own time zone. */
export const isNewYear = (today: Date): boolean => today.getMonth() === 0 && today.getDate() === 1

/**
 * True if this year's fireworks were not shown here yet. The page reloads after them, so this is stored, or they would
 * repeat for ever.
 */
export const isToCelebrate = (today: Date): boolean =>
  isNewYear(today) && readText('new-year') !== String(today.getFullYear())

export const celebrated = (today: Date): void => writeText('new-year', String(today.getFullYear()))

/** A reload would lose text that is being written. */
export const isWriting = (page: Document): boolean =>
  page.activeElement instanceof HTMLElement && page.activeElement.matches('input, textarea, select, [contenteditable]')
