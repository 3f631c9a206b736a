/** A label with the field's name in the API as its tooltip, for operators who know it from there. */
export const FieldName = ({ name, children }: { name: string; children: string }) => (
  <span title={name}>{children}</span>
)
