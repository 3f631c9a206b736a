import { type ImportNote, mostImportExamples, type SiteImportReport } from '@tollgate/contract'
import { shortText } from '#server/lib/bounded-text.ts'

const longestExample = 120

/** Collects what people must know of an import. */
export interface NoteBook {
  note(code: ImportNote, example: string): void
  read(): SiteImportReport['notes']
}

export const createNoteBook = (): NoteBook => {
  const notes = new Map<ImportNote, { count: number; examples: string[] }>()
  return {
    note(code, example) {
      const entry = notes.get(code) ?? { count: 0, examples: [] }
      entry.count += 1
      const shown = shortText(example, longestExample)
      if (entry.examples.length < mostImportExamples && !entry.examples.includes(shown)) entry.examples.push(shown)
      notes.set(code, entry)
    },
    read: () => [...notes].map(([code, { count, examples }]) => ({ code, count, examples: [...examples] })),
  }
}
