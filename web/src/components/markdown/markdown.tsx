import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'

/** The parser and the cleaner come when there is something to read. */
const load = () => import('./markdown-view.tsx')
const AnswerView = lazy(async () => ({ default: (await load()).AnswerView }))

/** Preloads the parts of `Markdown`, so that an answer can be drawn at once. */
export const prepareMarkdown = (): void => void load()

/** An answer of a model. HTML in it is text; links lead only to web and mail addresses. It may grow while it is shown. */
export const Markdown = ({ text }: { text: string }) => (
  <div className={classes.markdown}>
    <Suspense fallback={<div className={classes.plain}>{text}</div>}>
      <AnswerView text={text} />
    </Suspense>
  </div>
)
