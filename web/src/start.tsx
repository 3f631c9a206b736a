import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { call, whenSignedOut } from './lib/api/api.ts'
import { calls } from './lib/api/contract.ts'
import { mayRenew, renewSession } from './lib/api/renew-session.ts'
import { followOtherWindows, safeNext, storedUser } from './lib/api/session.ts'
import { verifySession } from './lib/api/verify-session.ts'
import { currentLanguage, loadLanguage } from './lib/i18n.ts'
import { turnOfOthers } from './lib/loading/turns.ts'
import { writeText } from './lib/preferences/storage.ts'
import { applyStatus, statusInPage, statusProblem } from './lib/status.ts'
import { hasUnsaved } from './lib/unsaved.ts'
import { createConsoleRouter } from './routes.tsx'

/** The face of the styles; `look.css` shows it under the attribute, and a stand-in of the same measures without it. */
const face = '1em "Inter Variable"'
const attribute = 'data-typeface'

/**
 * Fetches the console's own typeface and shows it. Its file weighs as much as a third of the scripts, so a first visit
 * reads with the stand-in until its data is there; later ones have the file, and index.html shows it from the start.
 */
const loadTypeface = async (): Promise<void> => {
  const root = document.documentElement
  if (root.getAttribute(attribute) === 'own') return
  // Old browsers, and tests without one.
  if (!('fonts' in document)) return
  const faces = await document.fonts.load(face).catch(() => [])
  if (faces.length === 0) return
  root.setAttribute(attribute, 'own')
  writeText('typeface', 'own')
}

/** The server writes the status into the page; a page without it (development) asks. */
const loadStatus = async (page: Document): Promise<void> => {
  if (applyStatus(statusInPage(page))) return
  try {
    if (!applyStatus(await call(calls.getStatus))) statusProblem.set('unreachable')
  } catch {
    statusProblem.set('statusFailed')
  }
}

/** Builds the router, joins it to the session and draws the console. */
export const startConsole = async (page: Document): Promise<void> => {
  const element = page.getElementById('root')
  if (!element) return
  page.documentElement.lang = currentLanguage()
  const router = createConsoleRouter()
  const toLogin = (why: Record<string, string> = { expired: 'true' }, ignoreBlocker = false): void => {
    const { href, pathname } = router.latestLocation
    if (pathname === '/login') return
    const next = safeNext(href)
    void router.navigate({ to: '/login', search: { ...why, ...(next ? { next } : {}) }, ignoreBlocker })
  }
  // The address is known from the start, the page's matches are not.
  const isGuarded = (): boolean =>
    router.matchRoutes(router.latestLocation).some((match) => match.routeId.includes('signed-in'))
  /** Edits outlast the session: their user signs in again over the page. */
  const keepsEdits = (): boolean => {
    if (!mayRenew() || !hasUnsaved()) return false
    void renewSession(false)
    return true
  }
  whenSignedOut(() => toLogin())
  followOtherWindows(() => {
    // Data read for one user must not be shown to another.
    if (storedUser()) location.reload()
    else if (isGuarded()) toLogin({ done: 'loggedOut' }, true)
  }, keepsEdits)
  const hadUser = storedUser() !== undefined
  void verifySession().then((signedIn) => {
    // The answer may be here before the first page is.
    if (hadUser && !signedIn && isGuarded()) toLogin()
  })
  // The page has the console's frame until the screen is there to be drawn.
  await Promise.all([loadStatus(page), loadLanguage(currentLanguage()), router.load()])
  if (router.state.matches.some(({ routeId }) => routeId.includes('shell'))) {
    const { beginFirstReads } = await import('./shell/frame.ts')
    await beginFirstReads()
  }
  createRoot(element).render(<RouterProvider router={router} />)
  await turnOfOthers()
  void loadTypeface()
}
