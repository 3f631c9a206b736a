/** Model name → completion ratio, as far as the built-in rules leave it open. */
export const completionRatios2025: Readonly<Record<string, number>> = {
  'gpt-4-gizmo-*': 2,
  'gpt-4o-gizmo-*': 3,
  'gpt-4-all': 2,
}
