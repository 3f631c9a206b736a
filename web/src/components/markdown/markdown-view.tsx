import { memo, useMemo, useState } from 'react'
import { createAnswerReader, pageHtml } from '../../lib/text/markdown.ts'
import { cleanNodes } from './clean-nodes.tsx'

const BlockView = memo(({ html }: { html: string }) => useMemo(() => cleanNodes(html), [html]))
BlockView.displayName = 'BlockView'

/** An answer, block by block: only the last block of a growing one is read and drawn again. */
export const AnswerView = ({ text }: { text: string }) => {
  const [read] = useState(createAnswerReader)
  return read(text).map((block) => <BlockView key={block.at} html={block.html} />)
}

/** An operator's HTML, or Markdown with HTML in it. */
export const PageView = ({ text }: { text: string }) => {
  const html = text.trim().startsWith('<') ? text : pageHtml(text)
  return <BlockView html={html} />
}
