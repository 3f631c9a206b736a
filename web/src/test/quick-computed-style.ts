/**
 * jsdom computes a style from all rules each time it is asked, which takes half of the time of these tests: looking for a
 * role asks it of every element, several times. Here an element is computed once until anything in the page changes.
 */
const computed = new Map<Element, Map<string, CSSStyleDeclaration>>()
const changes = new MutationObserver(() => computed.clear())
changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })

const compute = window.getComputedStyle.bind(window)

window.getComputedStyle = (element, pseudo) => {
  // Changes that the observer has not reported yet.
  if (changes.takeRecords().length > 0) computed.clear()
  if (!element.isConnected) return compute(element, pseudo)
  const key = pseudo ?? ''
  const ofElement = computed.get(element) ?? new Map<string, CSSStyleDeclaration>()
  computed.set(element, ofElement)
  const style = ofElement.get(key) ?? compute(element, pseudo)
  ofElement.set(key, style)
  return style
}
