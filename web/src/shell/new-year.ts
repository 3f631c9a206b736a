import { readText, writeText } from '../lib/preferences/storage.ts'

/** 1 January in the person's own time zone. */
export const isNewYear = (today: Date): boolean => today.getMonth() === 0 && today.getDate() === 1

/**
 * Whether the fireworks of this year are still to be seen here. The page reloads after them, so
 * they are remembered, or they would never end.
 */
export const isToCelebrate = (today: Date): boolean =>
  isNewYear(today) && readText('new-year') !== String(today.getFullYear())

export const celebrated = (today: Date): void => writeText('new-year', String(today.getFullYear()))

/** A reload takes away what somebody is writing at this moment. */
export const isWriting = (page: Document): boolean =>
  page.activeElement instanceof HTMLElement && page.activeElement.matches('input, textarea, select, [contenteditable]')
