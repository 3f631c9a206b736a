import type { ScreenPart } from '#web/components/parts/screen-part.ts'

/** A few terms, each on one line, or on a phone on two; a page that knows of no earlier calls sets a line. */
const panel = 'var(--part-height, clamp(160px, 520px - 56vw, 300px))'
/** A line of text and the space below it. */
const line = { position: 1, height: '32px' } as const

export const parts: readonly ScreenPart[] = [
  { place: 'today', position: 1, height: panel, load: async () => (await import('./why.tsx')).WhyItChanged },
  { place: 'own today', position: 1, height: panel, load: async () => (await import('./why.tsx')).OwnWhyItChanged },
  { place: 'about a call', ...line, load: async () => (await import('./median-line.tsx')).CallLine },
  { place: 'about a session', ...line, load: async () => (await import('./median-line.tsx')).SessionLine },
  { place: 'about a user', ...line, load: async () => (await import('./change-line.tsx')).UserLine },
  { place: 'about a key', ...line, load: async () => (await import('./change-line.tsx')).KeyLine },
  { place: 'about a statement', ...line, load: async () => (await import('./change-line.tsx')).StatementLine },
]
