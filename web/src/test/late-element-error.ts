import { prettyDOM } from '@testing-library/react'

/**
 * The error of a query that finds nothing, or too much; its message prints the page. A query that waits fails at every change of
 * the page until what it waits for is there, and nobody reads why: the page is printed when the message is asked for.
 */
export const lateElementError = (message: string | null, container: Element): Error => {
  const error = new Error()
  error.name = 'TestingLibraryElementError'
  let printed: string | undefined
  Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => {
      printed ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n')
      return printed
    },
  })
  return error
}
