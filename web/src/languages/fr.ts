/// <reference types="vite/client" />
import type { Texts } from './texts.ts'

/** All files of the folder, in one chunk. */
export const texts: Texts = Object.assign(
  {},
  ...Object.values(import.meta.glob<Texts>('./fr/*.json', { eager: true, import: 'default' })),
)
