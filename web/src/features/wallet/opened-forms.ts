import { isSafari, postForm } from './post-form.ts'

interface Form {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

// Kept for this visit only: browsers may refuse to open the first tab, and people close it by mistake.
const forms = new Map<string, Form>()

export const keepForm = (order: string, form: Form): void => void forms.set(order, form)
export const hasForm = (order: string): boolean => forms.has(order)

/** Opens the payment page of an order that was made during this visit. */
export const openForm = (order: string): void => {
  const form = forms.get(order)
  if (form) postForm(form.url, form.fields, { sameTab: isSafari() })
}
