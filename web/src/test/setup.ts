import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// A machine with much to do may take longer than the usual second.
configure({ asyncUtilTimeout: 10_000 })

// What jsdom lacks and the components ask for.
const noMedia = (query: string): MediaQueryList =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList
window.matchMedia = noMedia
window.ResizeObserver = class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
// Text areas that grow measure themselves again when a font arrives.
Object.defineProperty(document, 'fonts', { value: new EventTarget() })
Element.prototype.scrollIntoView = () => undefined
// Node's own URL has no object addresses in jsdom.
URL.createObjectURL = () => 'blob:test'
URL.revokeObjectURL = () => undefined
window.scrollTo = () => undefined
localStorage.setItem('i18nextLng', 'zh')

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})
