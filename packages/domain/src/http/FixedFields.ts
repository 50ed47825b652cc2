/**
 * Name of the annotation with the names of fields that exist and cannot be set by a body: somebody who sends one is told so, and
 * not that there is no such field.
 */
export const FIXED_FIELDS = "~@launch-registry/fixedFields"
