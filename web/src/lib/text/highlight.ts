import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
hljs.registerAliases(['curl', 'console', 'shell'], { languageName: 'bash' })
hljs.registerAliases(['vue', 'svelte'], { languageName: 'xml' })

/** Longer code is shown plain: colouring it would hold up the page. */
const mostCharacters = 60_000

/** A piece of code: its text, and the kind of word it is where it is one (`keyword`, `string`). */
export type CodePiece = string | { readonly kind: string; readonly pieces: readonly CodePiece[] }

const signs = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#x27', "'"],
])
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => signs.get(name) ?? whole)

/** Reads the highlighter's output: text with five escaped signs, in spans that carry a class. */
const piecesOf = (html: string): CodePiece[] => {
  const open: { kind: string; pieces: CodePiece[] }[] = [{ kind: '', pieces: [] }]
  for (const [, kind, close, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (kind !== undefined) open.push({ kind, pieces: [] })
    else if (close === undefined) open.at(-1)?.pieces.push(plain(text ?? ''))
    else {
      const done = open.pop()
      if (done) open.at(-1)?.pieces.push(done)
    }
  }
  return open[0]?.pieces ?? []
}

/** Code in coloured pieces; undefined for languages that are not known and for code that is too long. */
export const highlight = (code: string, language: string): readonly CodePiece[] | undefined => {
  if (code.length > mostCharacters || !hljs.getLanguage(language)) return undefined
  return piecesOf(hljs.highlight(code, { language, ignoreIllegals: true }).value)
}
