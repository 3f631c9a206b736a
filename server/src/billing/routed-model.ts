/** The name under which a model is routed and priced: all custom GPTs of a family are one model. */
export const routedModel = (model: string): string => {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*'
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model
}
