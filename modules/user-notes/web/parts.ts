import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  { place: 'account of a user', position: 1, height: '140px', load: async () => (await import('./notes.tsx')).Notes },
]
