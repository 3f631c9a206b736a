/** Posts fields to another site, in a tab of its own or in this one. The other site gets no hold of this page. */
const postForm = (url: string, fields: Readonly<Record<string, string>>, { sameTab }: { sameTab: boolean }): void => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.hidden = true
  if (!sameTab) {
    form.target = '_blank'
    form.rel = 'noopener'
  }
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

/** Safari opens no tab after an asynchronous call, so the payment page replaces this one there. */
export const isSafari = (agent: string = navigator.userAgent): boolean =>
  /safari/i.test(agent) && !/chrom(e|ium)|android|crios|fxios|edgios/i.test(agent)

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
