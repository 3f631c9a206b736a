import { createElement, memo, type ReactNode, useMemo, useState } from 'react'
import { cleanHtml } from '../../lib/text/clean-html.ts'
import { createAnswerReader, pageHtml } from '../../lib/text/markdown.ts'
import { belowBase } from '../../lib/url/page-paths.ts'
import { CodeBlock } from './code-block.tsx'
import classes from './markdown.module.css'

const voidTags = new Set(['br', 'hr', 'img'])
const tableParts = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr'])

/** Pictures that are drawn, not run. */
const pictureAddress = /^(?:https?:\/\/|\/(?![/\\])|data:image\/(?:png|jpeg|gif|webp|avif);base64,)/i

const attribute = (element: Element, name: string, as = name): Record<string, string> => {
  const value = element.getAttribute(name)
  return value === null || value === '' ? {} : { [as]: value }
}

const linkOf = (element: Element): Record<string, string> => {
  const address = element.getAttribute('href')?.trim() ?? ''
  // Places on the page have no names here: ids are not kept.
  if (address === '' || address.startsWith('#')) return attribute(element, 'title')
  const outside: Record<string, string> = /^https?:/i.test(address) ? { target: '_blank' } : {}
  return { href: belowBase(address), rel: 'noopener noreferrer', ...outside, ...attribute(element, 'title') }
}

const attributesOf = (element: Element, tag: string): Record<string, string | boolean> => {
  if (tag === 'a') return linkOf(element)
  if (tag === 'details') return element.hasAttribute('open') ? { open: true } : {}
  if (tag === 'ol') return attribute(element, 'start')
  const size = { ...attribute(element, 'width'), ...attribute(element, 'height') }
  if (tag === 'img')
    return {
      ...attribute(element, 'src'),
      alt: element.getAttribute('alt') ?? '',
      ...size,
      ...attribute(element, 'title'),
    }
  if (tag === 'td' || tag === 'th')
    return {
      ...attribute(element, 'colspan', 'colSpan'),
      ...attribute(element, 'rowspan', 'rowSpan'),
      ...attribute(element, 'align'),
    }
  return { ...attribute(element, 'title'), ...attribute(element, 'align') }
}

const codeOf = (element: Element): ReactNode => {
  const inner = element.firstElementChild
  const language = /(?:^|\s)language-(\S+)/.exec(inner?.getAttribute('class') ?? '')?.[1] ?? ''
  return <CodeBlock code={(element.textContent ?? '').replace(/\n$/, '')} language={language} />
}

const childrenOf = (element: Element): ReactNode[] => [...element.childNodes].map(nodeOf)

const nodeOf = (node: Node, key: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) {
    const isBetweenCells = tableParts.has(node.parentNode?.nodeName.toLowerCase() ?? '')
    return isBetweenCells ? null : node.textContent
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return null
  const element = node as Element
  const tag = element.tagName.toLowerCase()
  if (tag === 'pre') return <div key={key}>{codeOf(element)}</div>
  if (tag === 'img' && !pictureAddress.test(element.getAttribute('src')?.trim() ?? '')) return null
  const attributes = { key, ...attributesOf(element, tag) }
  if (tag === 'a' && !('href' in attributes)) return createElement('span', attributes, ...childrenOf(element))
  if (voidTags.has(tag)) return createElement(tag, attributes)
  const drawn = createElement(tag, attributes, ...childrenOf(element))
  if (tag !== 'table') return drawn
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard
    <div key={key} className={classes.tableFrame} tabIndex={0}>
      {drawn}
    </div>
  )
}

/** Untrusted HTML, cleaned, as React elements: unchanged parts are not drawn again, and code gets a code block. */
const cleanNodes = (html: string): ReactNode[] => [...cleanHtml(html).childNodes].map(nodeOf)

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
