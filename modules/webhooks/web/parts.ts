import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  {
    place: 'own notifications',
    position: 1,
    height: '160px',
    load: async () => (await import('./webhooks.tsx')).Webhooks,
  },
]
