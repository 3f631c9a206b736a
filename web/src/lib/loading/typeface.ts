import { writeText } from '../preferences/storage.ts'

/** The face of the styles; `look.css` shows it under the attribute, and a stand-in of the same measures without it. */
const face = '1em "Inter Variable"'
const attribute = 'data-typeface'

/**
 * Fetches the console's own typeface and shows it. Its file weighs as much as a third of the scripts, so a first visit
 * reads with the stand-in until its data is there; later ones have the file, and index.html shows it from the start.
 */
export const loadTypeface = async (): Promise<void> => {
  const root = document.documentElement
  if (root.getAttribute(attribute) === 'own') return
  // Old browsers, and tests without one.
  if (!('fonts' in document)) return
  const faces = await document.fonts.load(face).catch(() => [])
  if (faces.length === 0) return
  root.setAttribute(attribute, 'own')
  writeText('typeface', 'own')
}
