import { createElement, type ReactNode, useMemo } from 'react'

const allowedTags = new Set(
  'a abbr b blockquote br code dd div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img kbd li mark ol p pre s small span strong sub sup table tbody td th thead tr u ul'.split(
    ' ',
  ),
)
/** Gone with everything inside them; unknown tags only lose their own marks. */
const droppedTags = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
  'svg',
  'math',
  'form',
])
const voidTags = new Set(['br', 'hr', 'img'])

const isSafeLink = (address: string): boolean => /^(https?:|mailto:|\/(?!\/)|#)/i.test(address.trim())
const isSafeImage = (address: string): boolean =>
  /^(https?:|\/(?!\/)|data:image\/(png|jpeg|gif|webp);)/i.test(address.trim())

const attributesOf = (element: Element, tag: string): Record<string, string> => {
  const given = (name: string): string => element.getAttribute(name) ?? ''
  if (tag === 'a' && isSafeLink(given('href')))
    return { href: given('href'), rel: 'noopener noreferrer', ...(given('target') ? { target: '_blank' } : {}) }
  if (tag === 'img' && isSafeImage(given('src')))
    return { src: given('src'), alt: given('alt'), ...(given('width') ? { width: given('width') } : {}) }
  if (tag === 'td' || tag === 'th') return given('colspan') ? { colSpan: given('colspan') } : {}
  return given('title') ? { title: given('title') } : {}
}

const render = (node: Node, key: number): ReactNode => {
  if (node.nodeType === 3) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.tagName.toLowerCase()
  if (droppedTags.has(tag)) return null
  const children = [...node.childNodes].map(render)
  if (!allowedTags.has(tag)) return children
  const attributes = { key, ...attributesOf(node, tag) }
  return voidTags.has(tag) ? createElement(tag, attributes) : createElement(tag, attributes, ...children)
}

/** Somebody's HTML as elements of ours: known tags and attributes only, nothing that runs, no styles. */
export const SafeHtml = ({ html }: { html: string }) => {
  const nodes = useMemo(
    () => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(render),
    [html],
  )
  return <>{nodes}</>
}
