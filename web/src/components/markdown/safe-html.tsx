import { lazy, Suspense } from 'react'

const PageView = lazy(async () => ({ default: (await import('./markdown-view.tsx')).PageView }))

/** An operator's HTML or Markdown as elements of ours: known tags and attributes only, nothing that runs, no styles. */
export const SafeHtml = ({ html }: { html: string }) => (
  <Suspense>
    <PageView text={html} />
  </Suspense>
)
