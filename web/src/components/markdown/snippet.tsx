import { Fragment } from 'react'
import classes from './snippet.module.css'

/** A few lines of code; text between ‹ › is highlighted as the part to replace. */
export const Snippet = ({ code }: { code: string }) => (
  <pre className={classes.snippet}>
    <code>
      {code.split(/‹|›/).map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move
        index % 2 === 1 ? <b key={index}>{part}</b> : <Fragment key={index}>{part}</Fragment>,
      )}
    </code>
  </pre>
)

/** How the site is reached with OpenAI's own Python package. */
export const pythonSnippet = (baseUrl: string): string =>
  [
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url="‹${baseUrl}›",`,
    '    api_key="‹sk-…›",',
    ')',
  ].join('\n')
