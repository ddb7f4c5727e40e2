//! Memory models: the cat language, the library of models as cat text, and the evaluator that
//! says whether a concrete execution satisfies a model.

pub mod vocabulary;
