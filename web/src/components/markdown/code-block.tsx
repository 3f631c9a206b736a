import { type ReactNode, useDeferredValue, useEffect, useMemo } from 'react'
import { createStore, useStore } from '../../lib/preferences/store.ts'
import type { CodePiece } from '../../lib/text/highlight.ts'
import { CopyDialog, useCopy } from '../copy/copy-text.tsx'
import { useUiMessages } from '../messages.ts'
import classes from './markdown.module.css'

type Highlight = typeof import('../../lib/text/highlight.ts').highlight

/** The highlighter, loaded by the first code block. */
const highlighter = createStore<{ highlight: Highlight } | undefined>(undefined)
let requested = false
const loadHighlighter = async (): Promise<void> => {
  if (requested) return
  requested = true
  const { highlight } = await import('../../lib/text/highlight.ts')
  highlighter.set({ highlight })
}

const coloured = (pieces: readonly CodePiece[]): ReactNode =>
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
  useEffect(() => void loadHighlighter(), [])
  const pieces = useMemo(() => ready?.highlight(settled, language), [ready, settled, language])
  return pieces ? coloured(pieces) : settled
}

/** Code with its language and a copy button. */
export const CodeBlock = ({ code, language }: { code: string; language: string }) => {
  const say = useUiMessages()
  const { copy, byHand } = useCopy()
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
      <CopyDialog {...byHand} />
    </div>
  )
}
