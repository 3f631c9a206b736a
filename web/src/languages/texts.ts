/** Texts by namespace and key. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** One object of the texts of several files; a namespace may have texts in more than one. */
export const together = (files: Readonly<Record<string, Texts>>): Texts => {
  const all = new Map<string, Readonly<Record<string, string>>>()
  for (const texts of Object.values(files))
    for (const [namespace, words] of Object.entries(texts)) all.set(namespace, { ...all.get(namespace), ...words })
  return Object.fromEntries(all)
}
