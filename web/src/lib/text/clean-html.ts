import createPurifier from 'dompurify'

const tags =
  'a abbr b blockquote br center code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre s small span strong sub summary sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  )
const attributes = [
  'href',
  'src',
  'alt',
  'title',
  'width',
  'height',
  'align',
  'colspan',
  'rowspan',
  'start',
  'open',
  'class',
]

/** Web, mail and telephone addresses, pages of this site, places on the page. */
const addresses = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i

const purifier = createPurifier(window)

/**
 * Somebody's HTML without anything that runs, sends, loads or covers the page: known tags and attributes only, no styles,
 * forms, frames or pictures that are programs. The nodes are used as they are and never become text again, so that no
 * second reading can find other meaning in them.
 */
export const cleanHtml = (html: string): DocumentFragment =>
  purifier.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: addresses,
    ADD_URI_SAFE_ATTR: ['width', 'height', 'align', 'colspan', 'rowspan', 'start', 'open'],
    FORBID_CONTENTS: [
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
      'title',
      'textarea',
      'select',
      'xmp',
      'noembed',
      'noframes',
      'plaintext',
      'audio',
      'video',
    ],
    RETURN_DOM_FRAGMENT: true,
  })
