import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  { place: 'live side', position: 1, load: async () => (await import('./sinks.tsx')).UsageSinks },
]
