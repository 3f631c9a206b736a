import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  {
    place: 'shell notices',
    position: 1,
    load: async () => (await import('./notice/inspection-notice.tsx')).InspectionNotice,
  },
  { place: 'captures of a call', position: 1, load: async () => (await import('./captures-link.tsx')).CapturesLink },
]
