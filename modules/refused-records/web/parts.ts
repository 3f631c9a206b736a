import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  { place: 'charges above the log', position: 1, load: async () => (await import('./panel.tsx')).RefusedRecords },
]
