import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  { place: 'system information', position: 1, load: async () => (await import('./release-check.tsx')).ReleaseCheck },
]
