import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  {
    place: 'ways to a balance',
    position: 1,
    load: async () => (await import('./redeem/ways-to-codes.tsx')).WaysToCodes,
  },
]
