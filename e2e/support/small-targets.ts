import type { Page } from 'playwright-core'

/** Least size of a touch target in each direction, in px. */
const leastPx = 44

/**
 * Controls in view whose target is smaller than a finger needs, each with its size. A control's target is its box, that of its
 * labels, of the field around it and of what its styles draw over it. Links within a line of text are free, and so is what a dialog covers.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=switch], [role^=menuitem], [role=option]'
    const dialogs = [...document.querySelectorAll('[role=dialog]')].filter((dialog) => dialog.checkVisibility())
    const root = dialogs.at(-1) ?? document.body
    const sizesOf = (element: Element): { width: number; height: number }[] => {
      const own = getComputedStyle(element)
      const isClipped = own.overflow !== 'visible' && own.position !== 'static'
      const drawn = ['::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(element, part)
        if (isClipped || style.content === 'none' || style.position !== 'absolute') return []
        return [{ width: Number.parseFloat(style.width) || 0, height: Number.parseFloat(style.height) || 0 }]
      })
      return [element.getBoundingClientRect(), ...drawn]
    }
    const targetOf = (control: Element): { width: number; height: number } => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const around = control.closest('label, .mantine-Input-wrapper')
      const sizes = [control, ...labels, ...(around ? [around] : [])].flatMap(sizesOf)
      return {
        width: Math.max(...sizes.map(({ width }) => width)),
        height: Math.max(...sizes.map(({ height }) => height)),
      }
    }
    const isWithinText = (control: Element): boolean => {
      if (control.tagName !== 'A' || getComputedStyle(control).display !== 'inline') return false
      const around = control.parentElement?.closest('p, li, dd, td, th, small, h1, h2, h3, div, span, article')
      return (around?.textContent ?? '').trim().length > (control.textContent ?? '').trim().length
    }
    const isSeen = (control: Element): boolean => {
      if (!control.checkVisibility({ visibilityProperty: true })) return false
      if (control.closest('[aria-hidden=true], [inert]')) return false
      const { width, height, bottom } = control.getBoundingClientRect()
      // The link to the content stands above the page until it has the focus.
      return width > 1 && height > 1 && bottom > 0
    }
    return [...root.querySelectorAll(controls)]
      .filter((control) => isSeen(control) && !isWithinText(control))
      .flatMap((control) => {
        const { width, height } = targetOf(control)
        if (width >= least - 0.5 && height >= least - 0.5) return []
        const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
        return [
          `${Math.round(width)} × ${Math.round(height)} ${control.tagName.toLowerCase()}.${control.className} "${name.slice(0, 40)}"`,
        ]
      })
  }, leastPx)
