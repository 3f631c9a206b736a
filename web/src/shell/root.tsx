import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { markDrawn } from '../lib/loading/turns.ts'
import { useStatus } from '../lib/status.ts'
import { useShownObject } from '../lib/url/page-object.ts'
import { usePageTitle } from './use-page-title.ts'

/** The frame of every page: it only names the page; the look comes from the shell or from the page itself. */
export const Root = () => {
  const titleOf = usePageTitle()
  const { system_name: site, logo } = useStatus()
  const pageTitle = useRouterState({
    select: (state) => state.matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const title = [useShownObject(), pageTitle && titleOf({ title: pageTitle }), site].filter(Boolean).join(' – ')
  // The browser's title and icon.
  useEffect(() => {
    document.title = title
    const icon = document.querySelector('link[rel=icon]')
    if (!logo || !icon) return
    // The built-in icon is an SVG; a logo may be anything.
    icon.removeAttribute('type')
    icon.setAttribute('href', logo)
  }, [title, logo])
  useEffect(markDrawn, [])
  return <Outlet />
}
