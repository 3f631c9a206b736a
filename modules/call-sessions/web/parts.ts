import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  { place: 'own sessions', position: 1, load: async () => (await import('./week/own-week.tsx')).OwnWeek },
]
