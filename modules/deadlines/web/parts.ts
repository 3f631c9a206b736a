import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  {
    place: 'key form',
    position: 1,
    height: '44px',
    load: async () => (await import('./deadline-only.tsx')).DeadlineOnly,
  },
]
