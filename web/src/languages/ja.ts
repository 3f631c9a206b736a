/// <reference types="vite/client" />
import { type Texts, together } from './texts.ts'

/** All files of the folder and of the modules, in one chunk. */
export const texts: Texts = together(
  import.meta.glob<Texts>(['./ja/*.json', '../../../modules/*/texts/ja.json'], { eager: true, import: 'default' }),
)
