/**
 * jsdom computes a style whole, from more than a hundred rules of its own sheet and for every element around it, each time it is
 * asked after a change: that takes a third of the time of these tests, as looking for a role asks every element whether it is shown.
 * Here a property is read when it is asked for. What the element itself declares comes from its attribute `style`, or from jsdom's
 * sheet, which looks at names and a few attributes, so that elements alike have it computed once. Everything else is computed by
 * jsdom, once until anything in the page changes.
 */

const compute = window.getComputedStyle.bind(window)

const computed = new Map<Element, Map<string, CSSStyleDeclaration>>()
const changes = new MutationObserver(() => computed.clear())
changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })

const wholeStyle = (element: Element, pseudo: string): CSSStyleDeclaration => {
  // Changes that the observer has not reported yet.
  if (changes.takeRecords().length > 0) computed.clear()
  if (!element.isConnected) return compute(element, pseudo)
  const ofElement = computed.get(element) ?? new Map<string, CSSStyleDeclaration>()
  computed.set(element, ofElement)
  const style = ofElement.get(pseudo) ?? compute(element, pseudo)
  ofElement.set(pseudo, style)
  return style
}

/** Colours, for which jsdom looks at the elements around, and what is shown by the focus. */
const fromAround = /color$|^border(-(top|right|bottom|left|(block|inline)(-start|-end)?))?$|^background$|^outline/

/** Elements of which jsdom's sheet also asks where they stand. */
const placed = new Set(['dir', 'dl', 'menu', 'ol', 'ul', 'summary', 'tr', 'wbr'])

/** Attributes that jsdom's sheet asks for. */
const asked = ['align', 'dir', 'frame', 'hidden', 'href', 'open', 'popover', 'rules', 'sizes', 'title', 'type']

const declaredByName = new Map<string, CSSStyleDeclaration>()

/** Style that jsdom's sheet declares for elements like this one. */
const declaredFor = (element: Element): CSSStyleDeclaration => {
  const attributes = asked.map((name) => element.getAttribute(name) ?? '-')
  const key = [element.namespaceURI, element.localName, ...attributes].join('|')
  const known = declaredByName.get(key)
  if (known !== undefined) return known
  const like = document.createElementNS(element.namespaceURI, element.localName)
  for (const name of asked) if (element.hasAttribute(name)) like.setAttribute(name, element.getAttribute(name) ?? '')
  const declared = compute(like)
  declaredByName.set(key, declared)
  return declared
}

/** jsdom heeds a rule within `@media` only where it names the screen. */
const isHeeded = (rule: CSSRule): boolean => {
  const { media } = rule as CSSMediaRule
  return media === undefined || Array.from(media).includes('screen')
}

const propertiesIn = (rule: CSSRule): string[] => {
  const { cssRules, style } = rule as CSSStyleRule
  if (!isHeeded(rule)) return []
  return [...Array.from(style ?? []), ...Array.from(cssRules ?? []).flatMap(propertiesIn)]
}

const propertiesOf = new WeakMap<CSSStyleSheet, { rules: number; properties: Set<string> }>()

/** True if a sheet of the page, not jsdom's own, says anything about the property. */
const isInSheet = (property: string): boolean =>
  Array.from(document.styleSheets).some((sheet) => {
    const rules = sheet.cssRules.length
    const known = propertiesOf.get(sheet)
    if (known?.rules === rules) return known.properties.has(property)
    const properties = new Set(Array.from(sheet.cssRules).flatMap(propertiesIn))
    propertiesOf.set(sheet, { rules, properties })
    return properties.has(property)
  })

const inherited: Readonly<Record<string, string>> = { visibility: 'visible', 'pointer-events': 'auto' }
const givenByOthers = /^(inherit|initial|unset|revert|revert-layer)$/

const ownStyle = (element: Element, property: string): string =>
  (element as Partial<ElementCSSInlineStyle>).style?.getPropertyValue(property) ?? ''

/** A value that elements have from those around them; undefined where jsdom has to look. */
const inheritedValue = (element: Element, property: string): string | undefined => {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const own = ownStyle(at, property)
    if (own !== '') return givenByOthers.test(own) ? undefined : own
    // Parts of tables that are hidden collapse.
    if (
      property === 'visibility' &&
      at.hasAttribute('hidden') &&
      /^(col|colgroup|t(head|body|foot|r))$/.test(at.localName)
    )
      return undefined
  }
  return inherited[property]
}

const quickValue = (element: Element, property: string): string | undefined => {
  if (fromAround.test(property) || isInSheet(property)) return undefined
  if (property in inherited) return inheritedValue(element, property)
  if (placed.has(element.localName) && (property !== 'display' || element.localName === 'summary')) return undefined
  const own = ownStyle(element, property)
  if (own !== '') return givenByOthers.test(own) ? undefined : own
  return declaredFor(element).getPropertyValue(property)
}

const named = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Everything but single properties: their number, texts, methods. */
const isWhole = (key: string): boolean => /^\d+$|^css[A-Z]|^length$|Property/.test(key)

const quickStyle = (element: Element): CSSStyleDeclaration => {
  const valueFor = (property: string): string =>
    quickValue(element, property) ?? wholeStyle(element, '').getPropertyValue(property)
  return new Proxy(document.documentElement.style, {
    get: (known, key) => {
      if (key === 'getPropertyValue') return valueFor
      if (typeof key === 'string' && !isWhole(key)) return key in known ? valueFor(named(key)) : undefined
      const whole = wholeStyle(element, '')
      const value: unknown = Reflect.get(whole, key)
      return typeof value === 'function' ? value.bind(whole) : value
    },
  })
}

window.getComputedStyle = (element, pseudo) => (pseudo ? wholeStyle(element, pseudo) : quickStyle(element))
