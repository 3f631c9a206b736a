import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

/**
 * The error of a query that finds nothing, or too much; its message prints the page. A query that waits fails at every change of
 * the page until what it waits for is there, and nobody reads why: the page is printed when the message is asked for.
 */
const lateElementError = (message: string | null, container: Element): Error => {
  const error = new Error()
  error.name = 'TestingLibraryElementError'
  let printed: string | undefined
  Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => {
      printed ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n')
      return printed
    },
  })
  return error
}

// The files of one worker share the page and the libraries, which take two thirds of a file's time to load. The console's
// own modules, which keep what a visitor did, are loaded anew for each.
vi.resetModules()

// A machine with much to do may take longer than the usual second.
configure({ asyncUtilTimeout: 30_000, getElementError: lateElementError })

// APIs that the components need and jsdom lacks.
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
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
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
afterAll(() => {
  sessionStorage.clear()
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name)
  document.title = ''
  history.replaceState(null, '', '/')
})
