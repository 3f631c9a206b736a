import { type ReactNode, useDeferredValue, useEffect, useMemo } from 'react'
import type { Piece } from '../lib/highlight.ts'
import { createStore, useStore } from '../lib/store.ts'
import { useCopy } from './copy-text.tsx'
import classes from './markdown.module.css'
import { useUiWords } from './messages.ts'

type Highlight = typeof import('../lib/highlight.ts').highlight

/** The highlighter, once the first code block has asked for it. */
const highlighter = createStore<{ highlight: Highlight } | undefined>(undefined)
let asked = false
const askForHighlighter = async (): Promise<void> => {
  if (asked) return
  asked = true
  const { highlight } = await import('../lib/highlight.ts')
  highlighter.set({ highlight })
}

const coloured = (pieces: readonly Piece[]): ReactNode =>
  pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a code only ever grow at the end
      <span key={index} className={piece.kind}>
        {coloured(piece.pieces)}
      </span>
    ),
  )

/** Colours may come a moment after the text: a growing code is coloured when the page has time. */
const Coloured = ({ code, language }: { code: string; language: string }) => {
  const ready = useStore(highlighter)
  const settled = useDeferredValue(code)
  // The highlighter's file.
  useEffect(() => void askForHighlighter(), [])
  const pieces = useMemo(() => ready?.highlight(settled, language), [ready, settled, language])
  return pieces ? coloured(pieces) : settled
}

/** Code with its language and a copy button. */
export const CodeBlock = ({ code, language }: { code: string; language: string }) => {
  const say = useUiWords()
  const { copy, dialog } = useCopy()
  return (
    <div className={classes.block}>
      <div className={classes.blockHead}>
        <span>{language}</span>
        <button type="button" className="text-button" onClick={() => void copy(code, { secret: true })}>
          {say('copy')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{language === '' ? code : <Coloured code={code} language={language.toLowerCase()} />}</code>
      </pre>
      {dialog}
    </div>
  )
}
